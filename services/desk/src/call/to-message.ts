import { UsageError } from '../desk-error.js';
import { readTime } from '../options.js';
import type { Contract } from './contract.js';
import { type Field, resolveType, type Type } from './types.js';

/**
 * The message that a JSON value stands for: field names as in the proto, enums by name, times as RFC 3339. Nothing given
 * is dropped in silence.
 *
 * @throws UsageError that names the field.
 */
export function toMessage(contract: Contract, type: Type, json: unknown, path = ''): object {
  const wellKnown = wellKnownTypes[type.fullName];
  if (wellKnown !== undefined) return wellKnown(json, path);
  if (!isRecord(json)) throw wrong(path, 'a JSON object', json);
  const entries = Object.entries(json).filter(([, value]) => value !== null);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const at = path === '' ? name : `${path}.${name}`;
      const field = type.fields.find((each) => each.name === name);
      if (field === undefined) {
        const names = type.fields.map((each) => each.name).join(', ') || 'none';
        throw new UsageError(`${at}: ${type.fullName} has no such field; its fields are ${names}.`);
      }
      if (field.label !== 'LABEL_REPEATED') return [name, toValue(contract, type, field, value, at)];
      if (!Array.isArray(value)) throw wrong(at, 'a list', value);
      return [name, value.map((item, index) => toValue(contract, type, field, item, `${at}[${index}]`))];
    }),
  );
}

function toValue(contract: Contract, owner: Type, field: Field, value: unknown, path: string): unknown {
  if (field.type === 'TYPE_MESSAGE') {
    return toMessage(contract, resolveType(contract, field.typeName, owner.fullName), value, path);
  }
  if (field.type === 'TYPE_ENUM') {
    const { values } = resolveType(contract, field.typeName, owner.fullName);
    if (typeof value !== 'string' || !values.includes(value)) throw wrong(path, `one of ${values.join(', ')}`, value);
    return value;
  }
  const expected = scalars[field.type] ?? { is: 'number', words: 'a number' };
  if (typeof value !== expected.is) throw wrong(path, expected.words, value);
  return value;
}

const scalars: Readonly<Record<string, { is: string; words: string }>> = {
  TYPE_STRING: { is: 'string', words: 'a string' },
  TYPE_BYTES: { is: 'string', words: 'bytes in base64' },
  TYPE_BOOL: { is: 'boolean', words: 'true or false' },
};

const wellKnownTypes: Readonly<Record<string, (json: unknown, path: string) => object>> = {
  'google.protobuf.Timestamp': (json, path) => {
    const time = typeof json === 'string' ? readTime(json) : undefined;
    if (time === undefined) throw wrong(path, 'a time like 2026-06-01T09:00:00Z', json);
    const seconds = Math.floor(time.getTime() / 1000);
    return { seconds, nanos: (time.getTime() - seconds * 1000) * 1e6 };
  },
  'google.protobuf.Duration': (json, path) => {
    const match = /^(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(typeof json === 'string' ? json : '');
    if (match === null) throw wrong(path, 'a span like 1.5s', json);
    return { seconds: Number(match[1]), nanos: Number((match[2] ?? '').padEnd(9, '0')) };
  },
};

function wrong(path: string, expected: string, value: unknown): UsageError {
  return new UsageError(`${path || 'The request'}: must be ${expected}, not ${JSON.stringify(value)?.slice(0, 80)}.`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
