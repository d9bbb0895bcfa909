import type { PackageDefinition } from '@grpc/proto-loader';
import { varint } from './grpc-reflection.js';

/** The parts of a message or enum descriptor that the generator uses. */
interface Descriptor {
  readonly field?: readonly Field[];
  readonly value?: readonly { number: number }[];
}

interface Field {
  readonly name: string;
  readonly number: number;
  readonly label: string;
  readonly type: string;
  readonly typeName: string;
}

/** Makes a random number generator for [0, 1). The same seed gives the same numbers. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Makes requests of any type with extreme, huge, unusual, empty or unknown values. */
export function wildRequests(definition: PackageDefinition, random: () => number) {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

  const descriptorOf = (typeName: string): Descriptor =>
    ((definition[typeName.replace(/^\./, '')] as unknown as { type?: Descriptor }) ?? {}).type ?? {};

  const value = (field: Field, depth: number): unknown => {
    switch (field.type) {
      case 'TYPE_STRING':
        return pick(strings);
      case 'TYPE_BOOL':
        return random() < 0.5;
      case 'TYPE_INT32':
      case 'TYPE_UINT32':
        return pick([0, 1, -1, 3, 50, 200, 201, 2 ** 31 - 1, -(2 ** 31)]);
      case 'TYPE_INT64':
        return pick(longs);
      case 'TYPE_DOUBLE':
        return pick([0, -1, 1e308, Number.NaN, Number.POSITIVE_INFINITY]);
      case 'TYPE_ENUM':
        return pick([...(descriptorOf(field.typeName).value ?? []).map(({ number }) => number), 99, -1, 2 ** 31 - 1]);
      case 'TYPE_BYTES':
        return Buffer.from(pick(strings));
      default:
        return message(field.typeName, depth + 1);
    }
  };

  const fieldValue = (field: Field, depth: number): unknown => {
    if (field.label !== 'LABEL_REPEATED') return value(field, depth);
    const count = pick(depth === 0 ? [0, 1, 2, 60, 300, 1030] : [0, 1, 13]);
    const one = value(field, depth);
    return Array.from({ length: count }, () => (count > 60 || random() < 0.5 ? one : value(field, depth)));
  };

  const message = (typeName: string, depth = 0): Record<string, unknown> => {
    if (typeName.endsWith('google.protobuf.Timestamp')) {
      return {
        seconds: pick([...longs, '1767225600', '253402300800', '-62135596801']),
        nanos: pick([0, -1, 2 ** 31 - 1]),
      };
    }
    if (depth > 4) return {};
    const sent = (descriptorOf(typeName).field ?? []).filter(() => random() < 0.75);
    return Object.fromEntries(sent.map((field) => [field.name, fieldValue(field, depth)]));
  };

  /** Encodes a text field with invalid UTF-8. Empty for a message without text fields. */
  const brokenText = (typeName: string): Buffer => {
    const texts = (descriptorOf(typeName).field ?? []).filter(({ type }) => type === 'TYPE_STRING');
    if (texts.length === 0) return Buffer.alloc(0);
    const invalid = Buffer.from([0xff, 0xfe, 0x80]);
    return Buffer.concat([varint(pick(texts).number * 8 + 2), varint(invalid.length), invalid]);
  };

  return { message, brokenText };
}

const uuid = '6f0c9a52-1b1d-4f6e-8a55-0d6f6c1f2a3b';
const longs = ['0', '1', '-1', '9007199254740991', '9007199254740993', '9223372036854775807', '-9223372036854775808'];
const strings = [
  ...[
    '',
    'a',
    ' ',
    '0',
    '-1',
    '.',
    '..',
    'null',
    'true',
    '[]',
    '{"$gt":""}',
    '$where',
    'a.b',
    '__proto__',
    'constructor',
  ],
  ...['field-note-1', 'jane@example.org', 'JANE+tag@example.org', 'a@b', '@', 'a@b@c', uuid, uuid.toUpperCase()],
  ...[
    '127.0.0.1',
    '::1',
    'en',
    'en-',
    'x'.repeat(63),
    '\0',
    'a\0b',
    '\n',
    '\u202e',
    '\ufeff',
    '\ufffd',
    '\u{1f469}\u200d\u{1f4bb}',
  ],
  ...[
    'e\u0301'.repeat(40),
    'ß'.repeat(201),
    '\u{10ffff}',
    '%00',
    '%',
    '../../etc',
    "' or 1=1",
    'cks_',
    'WyJ4Il0',
    'W10=',
    'bnVsbA',
  ],
  ...['1'.repeat(400), 'x'.repeat(9000), 'ü'.repeat(70_000), `# ${'>'.repeat(5000)}`, '['.repeat(3000), '00-0-0-0'],
];
