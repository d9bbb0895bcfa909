import { readFileSync, writeFileSync } from 'node:fs';
import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';

// Writes the descriptors and the list of all methods as sources: no process reads a file for them, or parses them at its start.
const descriptors = readFileSync('dist/descriptors.binpb');
const { file } = fromBinary(FileDescriptorSetSchema, descriptors);
const methods = file.flatMap(({ package: pkg, service: services }) =>
  services.flatMap((service) =>
    service.method.map(({ name, options }) => {
      const level = options?.idempotencyLevel ?? MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN;
      return [`${pkg}.${service.name}/${name}`, level !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN];
    }),
  ),
);
write('methods', 'Record<string, boolean>', Object.fromEntries(methods));
write('descriptors', 'string', descriptors.toString('base64'));

function write(name, type, value) {
  writeFileSync(`src/gen/${name}.ts`, `export const ${name}: ${type} = ${JSON.stringify(value, null, 2)};\n`);
}
