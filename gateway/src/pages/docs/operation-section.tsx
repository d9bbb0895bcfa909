import { type ErrorCode, errorCatalogue } from '@knowledge/runtime';
import type { Fragment, Html } from '@knowledge/runtime/html';
import type { TSchema } from 'typebox';
import {
  accessWords,
  type FieldLine,
  fieldLines,
  inRequest,
  inResponse,
  type NameSchema,
  ownErrors,
  parameterLines,
} from '../../documents/fields.js';
import { curlCommand, readableJson } from '../../documents/markdown.js';
import type { SiteProfile } from '../../documents/site-profile.js';
import type { Json } from '../../protocol/example.js';
import { exampleOf, messageOf, type SiteExample } from '../../protocol/example.js';
import { keywordsOf, type Operation } from '../../protocol/operation.js';
import { inlineMarkdown } from '../parts/own-markdown.js';

/** What every section of the reference needs. */
interface ApiReferenceContext {
  readonly service: SiteProfile;
  /** Called for each schema that is linked rather than inlined, so the page can list it once at the end. */
  readonly nameSchema: NameSchema;
  /** The live response, for operations that return one of our own documents. */
  document(operation: Operation): Json | undefined;
}

/** The section of one operation; its anchor is the operation's id. */
export function operationSection(operation: Operation, reference: ApiReferenceContext): Html {
  const { id, method, path, summary, description, body } = operation;
  const example = exampleOf(operation, reference.service);
  const parameters = parameterLines(operation, reference.nameSchema);
  return (
    <section class="operation" id={id} aria-labelledby={`${id}-name`}>
      <h3 id={`${id}-name`}>
        <a href={`#${id}`}>{summary}</a>
      </h3>
      <p class="call">
        <code class="verb">{method}</code> <code>{path}</code>
      </p>
      <p>{inlineMarkdown(description)}</p>
      <p>{inlineMarkdown(accessWords(operation))}</p>
      {parameters.length > 0 && [
        <h4>Parameters</h4>,
        fieldList(parameters.map((line) => ({ ...line, facts: [line.where, ...line.facts] }))),
      ]}
      {body !== undefined && [<h4>Body</h4>, bodyFields(body, operation, reference.nameSchema)]}
      <h4>Call</h4>
      {calls(operation, example)}
      {Object.entries(operation.responses).map(([status, schema]) =>
        responseOf(operation, status, schema, example, reference),
      )}
      {operation.responseHeaders && headers(operation.responseHeaders)}
      <h4>Errors</h4>
      {failures(operation, example)}
    </section>
  );
}

function bodyFields(body: TSchema, { otherBodyMediaTypes = [] }: Operation, nameSchema: NameSchema): Fragment {
  const { oneOf, discriminator } = keywordsOf(body);
  const types = ['application/json', ...otherBodyMediaTypes].map((type) => `\`${type}\``).join(' or ');
  const rule = 'A field that is not named here is refused; one that is not required may be `null`.';
  const how = <p>{inlineMarkdown(`As ${types}. ${rule}`)}</p>;
  if (oneOf === undefined) return [how, fieldList(fieldLines(body, inRequest, nameSchema))];
  const field = discriminator?.propertyName ?? '';
  const choices = oneOf.map((choice) => {
    const { description, properties } = keywordsOf(choice);
    const value = String(keywordsOf(properties?.[field] ?? {}).const);
    return (
      <>
        <h5>
          <code>{field}</code> is <code>{value}</code>
        </h5>
        <p>{inlineMarkdown(description ?? '')}</p>
        {fieldList(fieldLines(choice, inRequest, nameSchema))}
      </>
    );
  });
  return [how, ...choices];
}

function calls(operation: Operation, example: SiteExample): Fragment {
  const bodies = Object.entries(example.bodies);
  if (bodies.length === 0) return codeOf('command', curlCommand(operation, example, undefined));
  return bodies.map(([name, body]) => [
    bodies.length > 1 && <p class="small">{name.replaceAll('_', ' ')}</p>,
    codeOf('command', curlCommand(operation, example, body)),
  ]);
}

function codeOf(kind: 'command' | 'answer', text: string) {
  return (
    <pre class={kind}>
      <code>{text}</code>
    </pre>
  );
}

function responseOf(
  operation: Operation,
  status: string,
  schema: TSchema,
  { responses }: SiteExample,
  { nameSchema, document }: ApiReferenceContext,
) {
  const { otherMediaTypes = [] } = operation;
  const example = responses[status];
  const whole = document(operation);
  return (
    <>
      <h4>Answer {status}</h4>
      {otherMediaTypes.length > 0 && (
        <p>
          {otherMediaTypes.map((type, at) => [at > 0 && ' and ', <code>{type}</code>])} too, where <code>Accept</code>{' '}
          prefers it.
        </p>
      )}
      {fieldList(fieldLines(schema, inResponse, nameSchema))}
      {example !== undefined && codeOf('answer', readableJson(example))}
      {whole !== undefined && (
        <details>
          <summary>The answer of this service</summary>
          {codeOf('answer', readableJson(whole))}
        </details>
      )}
    </>
  );
}

function headers(meanings: Readonly<Record<string, string>>): Fragment {
  const lines = Object.entries(meanings).map(([name, meaning]) => ({ name, facts: ['header'], meaning }));
  return [<h4>Headers of the answer</h4>, fieldList(lines)];
}

function failures(operation: Operation, example: SiteExample): Fragment {
  const own = ownErrors(operation);
  return [
    fieldList(own.map((code) => ({ ...errorLine(code), quotation: messageOf(code, example) }))),
    <p>
      {own.length > 0 ? 'And ' : 'Only '}
      <a href="#errors">those of every call</a>.
    </p>,
  ];
}

/** A line of the list, with a quotation after its meaning. */
interface QuotingLine extends FieldLine {
  readonly quotation?: string;
}

/** A list of fields or errors for people. */
export function fieldList(lines: readonly QuotingLine[]): Fragment {
  if (lines.length === 0) return undefined;
  return (
    <dl class="fields">
      {lines.map(({ name, facts, meaning, quotation }) => (
        <div>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <span class="facts">{inlineMarkdown(`${facts.join(', ')}.`)}</span>
            {meaning && [' ', inlineMarkdown(meaning)]}
            {quotation && [' ', <q>{quotation}</q>]}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** An error as a line of such a list. */
export function errorLine(code: ErrorCode): FieldLine {
  const { http, retryable, description } = errorCatalogue[code];
  return { name: code, facts: [String(http), retryable ? 'retry later' : 'do not retry'], meaning: description };
}
