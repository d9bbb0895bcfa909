import type { Contract } from './contract.js';

/** A field of a message, as descriptors describe it. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly typeName: string;
}

/** A message or an enum of the contract. */
export interface Type {
  readonly fullName: string;
  readonly fields: readonly Field[];
  /** The names of an enum's values; none of a message. */
  readonly values: readonly string[];
}

/** The type of a name as it is written inside another type: looked for from the inside out, as protobuf does. */
export function resolveType(contract: Contract, name: string, inside: string): Type {
  const scopes = inside === '' ? [] : inside.split('.');
  for (let depth = scopes.length; depth >= 0; depth--) {
    const fullName = [...scopes.slice(0, depth), name].join('.');
    const found = contract[fullName];
    if (found !== undefined && 'format' in found) return describe(fullName, found.type);
  }
  // proto-loader leaves out what it has built in, which are the well-known types.
  return { fullName: name, fields: [], values: [] };
}

function describe(fullName: string, type: object): Type {
  const { field = [], value = [] } = type as { field?: Field[]; value?: { name: string }[] };
  return { fullName, fields: field, values: value.map(({ name }) => name) };
}
