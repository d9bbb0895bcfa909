import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { MethodDefinition } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { descriptorSet } from '@knowledge/proto/descriptors';

/** A method of reflection, with its code for messages. */
export interface ReflectionMethod
  extends Pick<MethodDefinition<unknown, unknown>, 'requestDeserialize' | 'responseSerialize'> {
  /** Responds to the requests of a stream of parsed messages. */
  answer(stream: ReflectionStream): void;
}

/** The part of a stream of grpc-js that the library uses. */
export interface ReflectionStream {
  // biome-ignore lint/suspicious/noExplicitAny: each event has other arguments
  on(event: string, listener: (...args: any[]) => void): unknown;
  write(response: unknown): unknown;
  end(): unknown;
}

/**
 * Loads reflection for the given services, and returns its methods by path. It serves buf's descriptors, since the
 * library's are wrong for google.protobuf imports and for maps (grpc-node #2958, #3018).
 */
export function loadReflection(services: readonly string[]): ReadonlyMap<string, ReflectionMethod> {
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
  const methods = new Map<string, ReflectionMethod>();
  new ReflectionService(files, { services: [...services] }).addToServer({
    addService: (definition, handlers) => {
      for (const [name, { path, requestDeserialize, responseSerialize }] of Object.entries(definition)) {
        const answer = handlers[name] as unknown as ReflectionMethod['answer'];
        methods.set(path, { requestDeserialize, responseSerialize, answer });
      }
    },
  });
  return methods;
}
