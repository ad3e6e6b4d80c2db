// What the reference costs beside attention written with Eigen and with Arb.
//
//   reference_bench --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true
