import { fileURLToPath } from 'node:url';
import { loadSync } from '@grpc/proto-loader';

/** A field of a proto message, from its descriptor. */
export interface MessageField {
  /** The name in the proto and in JSON, such as `published_at`. */
  readonly name: string;
  /** The name in TypeScript, such as `publishedAt`. */
  readonly property: string;
  readonly type: string;
  readonly repeated: boolean;
  /** The values of an enum, without the unspecified value. */
  readonly values: readonly string[];
}

/** Lists the fields of a message, from its proto. */
export function fieldsOf(message: string, service: 'content' | 'contributions' = 'content'): MessageField[] {
  const fields = descriptorOf(`knowledge.${service}.v1.${message}`)?.field ?? [];
  return fields.map(({ name, type, label, typeName }) => ({
    name,
    property: name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    type,
    repeated: label === 'LABEL_REPEATED',
    values: (descriptorOf(`knowledge.${service}.v1.${typeName}`)?.value ?? []).slice(1).map((value) => value.name),
  }));
}

/** Makes a valid value for any field. Different numbers `at` give different values. */
export function anyValue({ name, type, repeated, values }: MessageField, at: number): unknown {
  if (type === 'TYPE_STRING') return repeated ? [`${name}-${at}`] : `${name} ${at}`;
  if (type === 'TYPE_ENUM') return values[at % values.length];
  if (type === 'TYPE_BOOL') return at % 2 === 0;
  if (type === 'TYPE_MESSAGE') return new Date(Date.UTC(2026, 2, 3 + at, 4, 5));
  return 700 + at;
}

interface Descriptor {
  readonly field?: { name: string; type: string; label: string; typeName: string }[];
  readonly value?: { name: string }[];
}

const protos = fileURLToPath(new URL('../../proto', import.meta.url));
const definition = loadSync(
  ['knowledge/content/v1/editorial.proto', 'knowledge/contributions/v1/contributions.proto'],
  {
    includeDirs: [protos, `${protos}/third_party`],
    keepCase: true,
    enums: String,
  },
);

function descriptorOf(name: string): Descriptor | undefined {
  return (definition[name] as { type?: Descriptor } | undefined)?.type;
}
