import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { Server, ServerDuplexStream } from '@grpc/grpc-js';
import { descriptorSet } from '@knowledge/proto/descriptors';
import type { CheckAccess } from './access.js';
import { toServiceError } from './status.js';

/**
 * Adds server reflection (v1 and v1alpha) for the given services. It serves buf's descriptors, since the library's are
 * wrong for google.protobuf imports and for maps (grpc-node #2958, #3018).
 */
export async function addReflection(
  server: Pick<Server, 'addService'>,
  services: readonly string[],
  admit: CheckAccess | undefined,
): Promise<void> {
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
  const guard = (answer: (call: Call) => void) => (call: Call) => {
    try {
      admit?.(call, call.getPath());
      answer(call);
    } catch (error) {
      call.emit('error', toServiceError(error, ''));
    }
  };
  const guarded: Pick<Server, 'addService'> = {
    addService: (definition, handlers) => {
      const methods = Object.entries(handlers).map(([name, answer]) => [name, guard(answer as (call: Call) => void)]);
      server.addService(definition, Object.fromEntries(methods));
    },
  };
  new ReflectionService(files, { services: [...services, 'grpc.health.v1.Health'] }).addToServer(guarded);
}

type Call = ServerDuplexStream<unknown, unknown>;
