import { toWireFieldName } from '@knowledge/runtime/wire';
import { timestamp } from './time.js';

/** A message with the names of `--json`: `publishedAt` becomes `published_at`. A time becomes text, and what is absent null. */
export function presented<Message extends object>(message: Message): Presented<Message> {
  const fields = Object.entries(message).map(([name, value]) => [
    toWireFieldName(name),
    value instanceof Date ? timestamp(value) : (value ?? null),
  ]);
  return Object.fromEntries(fields);
}

export type Presented<Message> = {
  readonly [Name in keyof Message & string as SnakeCase<Name>]-?: Shown<Message[Name]>;
};

type Shown<Value> = Value extends Date ? string : Value extends undefined ? null : Value;

/** The type of a name in snake case. */
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
