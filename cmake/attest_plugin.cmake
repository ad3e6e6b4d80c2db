# attest_plugin(FOLDER NAME SOURCE): a plugin for the tests, plugins/FOLDER/NAME.so in the build folder.
function(attest_plugin folder name source)
  set(target plugin_${folder}_${name})
  add_library(${target} MODULE ${source})
  target_link_libraries(${target} PRIVATE attest_options m)
  set_target_properties(
    ${target} PROPERTIES PREFIX "" SUFFIX ".so" OUTPUT_NAME ${name} C_VISIBILITY_PRESET hidden
                         LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/plugins/${folder})
endfunction()
