import { readFileSync, writeFileSync } from 'node:fs';
import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';

// Writes the list of all methods for src/methods.ts, so that no process parses the descriptors at its start.
const { file } = fromBinary(FileDescriptorSetSchema, readFileSync('dist/descriptors.binpb'));
const methods = file.flatMap(({ package: pkg, service: services }) =>
  services.flatMap((service) =>
    service.method.map(({ name, options }) => {
      const level = options?.idempotencyLevel ?? MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN;
      return [`${pkg}.${service.name}/${name}`, level !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN];
    }),
  ),
);
writeFileSync('dist/methods.json', `${JSON.stringify(Object.fromEntries(methods), null, 2)}\n`);
