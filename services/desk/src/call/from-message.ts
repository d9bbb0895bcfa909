import type { Contract } from './contract.js';
import { type Field, resolveType, type Type } from './types.js';

/** A message as JSON: field names as in the proto, enums by name, times as RFC 3339, absent messages as `null`. */
export function fromMessage(contract: Contract, type: Type, message: object): unknown {
  const wellKnown = wellKnownTypes[type.fullName];
  if (wellKnown !== undefined) return wellKnown(message);
  if (type.fields.length === 0) return message;
  return Object.fromEntries(
    Object.entries(message).map(([name, value]: [string, unknown]) => {
      const field = type.fields.find((each) => each.name === name);
      if (field?.type !== 'TYPE_MESSAGE' || value === null || value === undefined) return [name, value];
      return [name, Array.isArray(value) ? value.map((item) => inner(field, item)) : inner(field, value)];
    }),
  );

  function inner(field: Field, value: object): unknown {
    return fromMessage(contract, resolveType(contract, field.typeName, type.fullName), value);
  }
}

interface Span {
  seconds: number;
  nanos: number;
}

const wellKnownTypes: Readonly<Record<string, (message: object) => unknown>> = {
  'google.protobuf.Timestamp': (message) => {
    const { seconds, nanos } = message as Span;
    return `${new Date(seconds * 1000).toISOString().slice(0, 19)}${fraction(nanos)}Z`;
  },
  'google.protobuf.Duration': (message) => {
    const { seconds, nanos } = message as Span;
    return `${seconds}${fraction(nanos)}s`;
  },
  'google.protobuf.Struct': fromStruct,
};

// In threes, as JSON of protobuf has it.
function fraction(nanos: number): string {
  return nanos === 0
    ? ''
    : `.${String(nanos)
        .padStart(9, '0')
        .replace(/(000){1,2}$/, '')}`;
}

function fromStruct(message: object): unknown {
  const { fields } = message as { fields?: Record<string, object> };
  return Object.fromEntries(Object.entries(fields ?? {}).map(([name, value]) => [name, fromDynamic(value)]));
}

/** A google.protobuf.Value, of which one member is set. */
function fromDynamic(value: object): unknown {
  const [[kind, content] = ['nullValue', null]] = Object.entries(value) as [string, unknown][];
  if (/^null_?value$/i.test(kind)) return null;
  if (/^struct_?value$/i.test(kind)) return fromStruct(content as object);
  if (/^list_?value$/i.test(kind)) return ((content as { values?: object[] }).values ?? []).map(fromDynamic);
  return content;
}
