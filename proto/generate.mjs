import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';

// Makes TypeScript of the protos. The descriptors and the list of all methods become sources too: no process reads a
// file for them, or parses them at its start.
process.chdir(import.meta.dirname);
buf('generate');
mkdirSync('dist', { recursive: true });
buf('build', '--as-file-descriptor-set', '-o', 'dist/descriptors.binpb');
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

function buf(...args) {
  execFileSync(process.execPath, ['../node_modules/@bufbuild/buf/bin/buf', ...args], { stdio: 'inherit' });
}

function write(name, type, value) {
  writeFileSync(`src/gen/${name}.ts`, `export const ${name}: ${type} = ${JSON.stringify(value, null, 2)};\n`);
}
