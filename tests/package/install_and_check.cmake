# Arguments: BUILD (the build folder), CC, PLUGIN (a C file), WORK (a folder to fill).
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

function(must_run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "exit status ${status}: ${ARGN}")
  endif()
endfunction()

must_run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
must_run(${CC} -std=c99 -O2 -shared -fPIC -I${WORK}/prefix/include ${PLUGIN} -o plugin.so -lm)
must_run(${WORK}/prefix/bin/attest check ./plugin.so --property rows_sum_to_1 --report report.json)
