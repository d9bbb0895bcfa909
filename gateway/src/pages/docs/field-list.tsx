import type { TSchema } from 'typebox';
import { keywordsOf, typeOf } from '../../protocol/keywords.js';
import { namedSchemas } from '../../protocol/named-schemas.js';
import type { Fragment, Html } from '../parts/html.js';

/** Is told of every schema that is only named where it is used, so that it is shown once elsewhere. */
export type Mention = (schema: TSchema) => void;

/** A line of a list of fields. */
export interface FieldLine {
  readonly name: string;
  readonly facts: readonly Fragment[];
  readonly meaning?: string | undefined;
}

/** What a list says of a field besides its type. */
type Presence = (required: boolean) => readonly Fragment[];

/** In what a caller sends, what must be there is said. */
export const inRequest: Presence = (required) => (required ? [<strong>required</strong>] : []);

/** In what is answered, what may be missing is said. */
export const inAnswer: Presence = (required) => (required ? [] : ['may be absent']);

/** The fields of an object, those of objects without a name among them as `outer.inner`. */
export function fieldLines(schema: TSchema, presence: Presence, mention: Mention, prefix = ''): FieldLine[] {
  const { properties = {}, required = [] } = keywordsOf(schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const { description, default: preset } = keywordsOf(property);
    const usual = typeof preset === 'string' || typeof preset === 'number' ? `default ${preset}` : undefined;
    const { within, suffix } = inner(property);
    const facts = [typeWords(property, mention), ...presence(required.includes(name)), ...(usual ? [usual] : [])];
    return [
      { name: prefix + name, facts, meaning: description },
      ...fieldLines(within, presence, mention, `${prefix}${name}${suffix}.`),
    ];
  });
}

/** A list of fields for people. */
export function fieldList(lines: readonly FieldLine[]): Fragment {
  if (lines.length === 0) return undefined;
  return (
    <dl class="fields">
      {lines.map(({ name, facts, meaning }) => (
        <div>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <span class="facts">{listed(facts)}</span>
            {meaning && [' ', withCode(meaning)]}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A text of the description, in which backticks set code off as in Markdown. */
export function withCode(text: string): Fragment {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part));
}

/** The anchor of a schema. */
export function schemaAnchor(name: string): string {
  return `schema-${name}`;
}

// Where the fields of a field are, and how their names go on.
function inner(schema: TSchema): { within: TSchema; suffix: string } {
  const { items, patternProperties } = keywordsOf(schema);
  const record = patternProperties?.['^.*$'];
  const [within, suffix] = items ? [items, '[]'] : record ? [record, '.*'] : [schema, ''];
  return namedSchemas.has(within) ? { within: {}, suffix } : { within, suffix };
}

function typeWords(schema: TSchema, mention: Mention): Fragment {
  const name = namedSchemas.get(schema);
  if (name !== undefined) {
    mention(schema);
    return <a href={`#${schemaAnchor(name)}`}>{name}</a>;
  }
  const { enum: values, const: value, anyOf, items, patternProperties, ...rest } = keywordsOf(schema);
  if (value !== undefined) return <code>{String(value)}</code>;
  if (values !== undefined) return separated(values.map((each) => <code>{each}</code>));
  if (anyOf !== undefined) {
    const words = anyOf.map((each) => typeWords(each, mention));
    const or = (before: Fragment): string => (typeof before === 'string' && before.includes(',') ? ', or ' : ' or ');
    return words.map((word, at) => [at > 0 && or(words[at - 1]), word]);
  }
  if (items !== undefined) return <>list of {typeWords(items, mention)}</>;
  const record = patternProperties?.['^.*$'];
  if (record !== undefined) return <>by name: {typeWords(record, mention)}</>;
  const { format, minLength, maxLength, minimum, maximum } = rest as typeof rest & { format?: string };
  const length = bounds(minLength, maxLength);
  return [typeOf(schema), format, length && `${length} characters`, bounds(minimum, maximum)]
    .filter(Boolean)
    .join(', ');
}

function bounds(min: number | undefined, max: number | undefined): string {
  if (max === undefined) return min === undefined ? '' : `${min} or more`;
  return min === undefined ? `at most ${max}` : `${min} to ${max}`;
}

function separated(parts: readonly Fragment[]): Html {
  return <>{parts.map((part, at) => [at === 0 ? '' : at === parts.length - 1 ? ' or ' : ', ', part])}</>;
}

function listed(parts: readonly Fragment[]): Html {
  return <>{parts.map((part, at) => [at > 0 && ', ', part])}.</>;
}
