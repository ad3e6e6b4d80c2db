# Arb and the FLINT beneath it, as the target Arb::Arb. Debian calls the library flint-arb, others arb; neither brings
# a CMake package.
find_package(MPFR QUIET)
find_path(ARB_INCLUDE_DIR arb.h)
find_library(ARB_LIBRARY NAMES flint-arb arb)
find_library(FLINT_LIBRARY flint)
mark_as_advanced(ARB_INCLUDE_DIR ARB_LIBRARY FLINT_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Arb REQUIRED_VARS ARB_LIBRARY FLINT_LIBRARY ARB_INCLUDE_DIR MPFR_FOUND)

if(Arb_FOUND AND NOT TARGET Arb::Arb)
  add_library(Arb::Arb UNKNOWN IMPORTED)
  set_target_properties(
    Arb::Arb
    PROPERTIES IMPORTED_LOCATION ${ARB_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${ARB_INCLUDE_DIR}
               INTERFACE_LINK_LIBRARIES "${FLINT_LIBRARY};MPFR::MPFR")
endif()
