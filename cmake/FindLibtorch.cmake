# PyTorch's C++ library as the target Libtorch::Libtorch, and Libtorch_VERSION. Its own CMake package changes the flags
# of whoever asks for it.
find_path(LIBTORCH_INCLUDE_DIR ATen/ATen.h)
find_path(LIBTORCH_API_INCLUDE_DIR torch/torch.h PATH_SUFFIXES torch/csrc/api/include)
find_library(LIBTORCH_LIBRARY torch_cpu)
find_library(LIBTORCH_CORE_LIBRARY c10)
mark_as_advanced(LIBTORCH_INCLUDE_DIR LIBTORCH_API_INCLUDE_DIR LIBTORCH_LIBRARY LIBTORCH_CORE_LIBRARY)

set(Libtorch_VERSION)
if(LIBTORCH_API_INCLUDE_DIR)
  foreach(part MAJOR MINOR PATCH)
    file(STRINGS ${LIBTORCH_API_INCLUDE_DIR}/torch/version.h line REGEX "TORCH_VERSION_${part} [0-9]+$")
    string(REGEX MATCH "[0-9]+$" number "${line}")
    list(APPEND Libtorch_VERSION ${number})
  endforeach()
  list(JOIN Libtorch_VERSION . Libtorch_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libtorch REQUIRED_VARS LIBTORCH_LIBRARY LIBTORCH_CORE_LIBRARY LIBTORCH_INCLUDE_DIR
                                                         LIBTORCH_API_INCLUDE_DIR VERSION_VAR Libtorch_VERSION)

if(Libtorch_FOUND AND NOT TARGET Libtorch::Libtorch)
  add_library(Libtorch::Libtorch UNKNOWN IMPORTED)
  set_target_properties(
    Libtorch::Libtorch
    PROPERTIES IMPORTED_LOCATION ${LIBTORCH_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES
                                                     "${LIBTORCH_INCLUDE_DIR};${LIBTORCH_API_INCLUDE_DIR}"
               INTERFACE_LINK_LIBRARIES ${LIBTORCH_CORE_LIBRARY})
endif()
