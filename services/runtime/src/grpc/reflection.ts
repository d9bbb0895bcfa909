import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { Server } from '@grpc/grpc-js';
import { descriptorSet } from '@knowledge/proto/descriptors';

/**
 * Adds server reflection, v1 and v1alpha, that lists the given services. The library's own descriptors are wrong for
 * google.protobuf imports and for maps (grpc-node #2958, #3018), so it gets buf's raw ones.
 */
export async function addReflection(server: Server, services: readonly string[]): Promise<void> {
  const { ReflectionService } = await import('@grpc/reflection');
  const { file } = fromBinary(FileDescriptorSetSchema, descriptorSet());
  const files = Object.fromEntries(
    file.map((each) => [
      each.name,
      {
        format: 'Protocol Buffer 3 DescriptorProto' as const,
        type: {},
        fileDescriptorProtos: [Buffer.from(toBinary(FileDescriptorProtoSchema, each))],
      },
    ]),
  );
  new ReflectionService(files, { services: [...services, 'grpc.health.v1.Health'] }).addToServer(server);
}
