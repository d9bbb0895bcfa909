import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { descriptorSet } from '@knowledge/proto/descriptors';

/** Every method of every proto, as `package.Service/Method`. */
export function protoMethods(): string[] {
  const { file } = fromBinary(FileDescriptorSetSchema, descriptorSet());
  return file.flatMap(({ package: pkg, service: services }) =>
    services.flatMap((service) => service.method.map((method) => `${pkg}.${service.name}/${method.name}`)),
  );
}
