# The code that protoc makes of properties/exchange/onnx/messages.proto: attest_onnx_messages, objects to be linked
# into whatever reads the messages. It is compiled without our warnings, as it is not ours.
find_package(Protobuf REQUIRED GLOBAL)

set(attest_onnx_proto properties/exchange/onnx/messages)
set(attest_onnx_include ${PROJECT_BINARY_DIR}/include)
set(attest_onnx_generated ${attest_onnx_include}/${attest_onnx_proto}.pb.cc
                          ${attest_onnx_include}/${attest_onnx_proto}.pb.h)
file(MAKE_DIRECTORY ${attest_onnx_include})
add_custom_command(
  OUTPUT ${attest_onnx_generated}
  COMMAND protobuf::protoc --proto_path=${PROJECT_SOURCE_DIR} --cpp_out=${attest_onnx_include}
          ${PROJECT_SOURCE_DIR}/${attest_onnx_proto}.proto
  DEPENDS ${PROJECT_SOURCE_DIR}/${attest_onnx_proto}.proto
  COMMENT "Generating ${attest_onnx_proto}.pb.cc"
  VERBATIM)
add_library(attest_onnx_messages OBJECT ${attest_onnx_generated})
target_include_directories(attest_onnx_messages SYSTEM PUBLIC $<BUILD_INTERFACE:${attest_onnx_include}>)
target_link_libraries(attest_onnx_messages PUBLIC protobuf::libprotobuf-lite)
