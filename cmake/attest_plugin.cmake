# attest_plugin(FOLDER NAME SOURCE): a plugin for the tests, plugins/FOLDER/NAME.so in the build folder. The target
# `plugins` builds all of them.
function(attest_plugin folder name source)
  set(target plugin_${folder}_${name})
  add_library(${target} MODULE ${source})
  target_link_libraries(${target} PRIVATE attest_options attest_hardly_optimised m)
  set_target_properties(
    ${target} PROPERTIES PREFIX "" SUFFIX ".so" OUTPUT_NAME ${name} C_VISIBILITY_PRESET hidden
                         LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/plugins/${folder})
  add_dependencies(plugins ${target})
  set_property(GLOBAL APPEND PROPERTY attest_plugins_${folder} ${name})
endfunction()

# attest_use_plugins(TARGET FOLDERS...): the target is built after the plugins of those folders, which must have been
# added before. It is told where they are (ATTEST_PLUGIN_FOLDER) and their names (ATTEST_PLUGINS_<folder>, with commas).
function(attest_use_plugins target)
  target_compile_definitions(${target} PRIVATE ATTEST_PLUGIN_FOLDER="${CMAKE_BINARY_DIR}/plugins")
  foreach(folder ${ARGN})
    get_property(names GLOBAL PROPERTY attest_plugins_${folder})
    foreach(name ${names})
      add_dependencies(${target} plugin_${folder}_${name})
    endforeach()
    list(JOIN names "," names)
    target_compile_definitions(${target} PRIVATE ATTEST_PLUGINS_${folder}="${names}")
  endforeach()
endfunction()
