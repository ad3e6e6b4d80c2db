# attest_adapter(NAME SOURCES...): the plugin adapters/NAME.so in the build folder; sources relative to properties/, where
# attest_adapter_parts holds what adapters share. It is installed beside the library. The target `adapters` builds all.
set(ATTEST_THIRD_PARTY
    ${PROJECT_SOURCE_DIR}/build/third_party
    CACHE PATH "Where properties/adapters/fetch puts the libraries that adapters load")
add_custom_target(adapters)

function(attest_adapter name)
  set(target adapter_${name})
  add_library(${target} MODULE ${ARGN})
  target_link_libraries(${target} PRIVATE attest_options attest_adapter_parts ${CMAKE_DL_LIBS})
  set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX ".so" OUTPUT_NAME ${name}
                                             LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/adapters)
  add_dependencies(adapters ${target})
  install(TARGETS ${target} DESTINATION ${attest_adapter_install_folder})
endfunction()

# attest_adapter_script(FILE): a copy of adapters/python/FILE beside the plugins; installed there too.
function(attest_adapter_script file)
  configure_file(adapters/python/${file} ${CMAKE_BINARY_DIR}/adapters/python/${file} COPYONLY)
  install(FILES adapters/python/${file} DESTINATION ${attest_adapter_install_folder}/python)
endfunction()
