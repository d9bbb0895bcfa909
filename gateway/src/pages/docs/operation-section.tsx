import { type ErrorCode, errorCatalogue } from '@knowledge/runtime';
import type { TSchema } from 'typebox';
import { curl, readable } from '../../documents/call-text.js';
import { headerName } from '../../documents/fields.js';
import type { Service } from '../../documents/service.js';
import type { Json } from '../../protocol/example.js';
import { exampleOf, messageOf, type SiteExample } from '../../protocol/examples.js';
import { keywordsOf } from '../../protocol/keywords.js';
import { commonErrors, errorsOf, type Operation } from '../../protocol/operation.js';
import type { Fragment, Html } from '../parts/html.js';
import { type FieldLine, fieldLines, fieldList, inAnswer, inRequest, type Mention, withCode } from './field-list.js';

/** What a section needs besides its operation. */
export interface Surroundings {
  readonly service: Service;
  readonly mention: Mention;
  /** What the running gateway itself answers to an operation whose answer is one of its documents. */
  document(operation: Operation): Json | undefined;
}

/** Everything about one operation, under the anchor of its id. */
export function operationSection(operation: Operation, surroundings: Surroundings): Html {
  const { id, method, path, summary, description, body } = operation;
  const example = exampleOf(operation, surroundings.service);
  const parameters = parameterLines(operation, surroundings.mention);
  return (
    <section class="operation" id={id} aria-labelledby={`${id}-name`}>
      <h3 id={`${id}-name`}>
        <a href={`#${id}`}>{summary}</a>
      </h3>
      <p class="call">
        <code class="verb">{method}</code> <code>{path}</code>
      </p>
      <p>{withCode(description)}</p>
      <p>{whoMay(operation)}</p>
      {parameters.length > 0 && (
        <>
          <h4>Parameters</h4>
          {fieldList(parameters)}
        </>
      )}
      {body !== undefined && (
        <>
          <h4>Body</h4>
          {bodyFields(body, operation, surroundings.mention)}
        </>
      )}
      <h4>Call</h4>
      {calls(operation, example)}
      {Object.entries(operation.answers).map(([status, schema]) =>
        answer(operation, status, schema, example, surroundings),
      )}
      {operation.answerHeaders && headers(operation.answerHeaders)}
      <h4>Errors</h4>
      {failures(operation, example)}
    </section>
  );
}

function whoMay({ auth, scopes = [], endpoint }: Operation): Html {
  const who = {
    none: <>Needs no token.</>,
    optional_bearer: <>A Bearer token is optional; without one the reader is anonymous.</>,
    bearer: <>Needs a Bearer token.</>,
  }[auth];
  const named = auth === 'bearer' ? ' Scopes, one for each type: ' : ' Scopes that can be asked for: ';
  const allowed = (
    <>
      {named}
      {scopes.map((scope, at) => [at > 0 && ', ', <code>{scope}</code>])}.
    </>
  );
  const inCapabilities = (
    <>
      {' '}
      In the capabilities it is <code>{endpoint ?? ''}</code>.
    </>
  );
  return (
    <>
      {who}
      {scopes.length > 0 && allowed}
      {endpoint !== undefined && inCapabilities}
    </>
  );
}

function parameterLines({ params, query, headers: sent, answerHeaders }: Operation, mention: Mention): FieldLine[] {
  const from = (where: string, schema: TSchema | undefined): FieldLine[] =>
    fieldLines(schema ?? {}, inRequest, mention).map(({ name, facts, meaning }) => ({
      name: where === 'header' ? headerName(name) : name,
      facts: [where, ...facts],
      meaning,
    }));
  const validator = 'An ETag that you have; the same bytes are answered with 304.';
  const ifNoneMatch: FieldLine = { name: 'If-None-Match', facts: ['header', 'string'], meaning: validator };
  return [
    ...from('path', params),
    ...from('query', query),
    ...from('header', sent),
    ...(answerHeaders?.['ETag'] === undefined ? [] : [ifNoneMatch]),
  ];
}

function bodyFields(body: TSchema, { bodyAlsoAs = [] }: Operation, mention: Mention): Fragment {
  const { oneOf, discriminator } = keywordsOf(body);
  const also = bodyAlsoAs.map((type) => (
    <>
      {' '}
      or <code>{type}</code>
    </>
  ));
  const how = (
    <p>
      As <code>application/json</code>
      {also}. A field that is not named here is refused; one that is not required may be <code>null</code>.
    </p>
  );
  if (oneOf === undefined) return [how, fieldList(fieldLines(body, inRequest, mention))];
  const field = discriminator?.propertyName ?? '';
  const choices = oneOf.map((choice) => {
    const { description, properties } = keywordsOf(choice);
    const value = String(keywordsOf(properties?.[field] ?? {}).const);
    return (
      <>
        <h5>
          <code>{field}</code> is <code>{value}</code>
        </h5>
        <p>{withCode(description ?? '')}</p>
        {fieldList(fieldLines(choice, inRequest, mention))}
      </>
    );
  });
  return [how, ...choices];
}

function calls(operation: Operation, example: SiteExample): Fragment {
  const bodies = Object.entries(example.bodies);
  if (bodies.length === 0) return command(curl(operation, example, undefined));
  return bodies.map(([name, body]) => [
    bodies.length > 1 && <p class="small">{name.replaceAll('_', ' ')}</p>,
    command(curl(operation, example, body)),
  ]);
}

function command(text: string): Html {
  return (
    <pre class="command">
      <code>{text}</code>
    </pre>
  );
}

function answer(
  operation: Operation,
  status: string,
  schema: TSchema,
  { answers }: SiteExample,
  { mention, document }: Surroundings,
): Html {
  const { alsoAs = [] } = operation;
  const example = answers[status];
  const whole = document(operation);
  const others = (
    <p>
      {alsoAs.map((type, at) => [at > 0 && ' and ', <code>{type}</code>])} too, where <code>Accept</code> prefers it.
    </p>
  );
  return (
    <>
      <h4>Answer {status}</h4>
      {alsoAs.length > 0 && others}
      {fieldList(fieldLines(schema, inAnswer, mention))}
      {example !== undefined && (
        <pre class="answer">
          <code>{readable(example)}</code>
        </pre>
      )}
      {whole !== undefined && (
        <details>
          <summary>The answer of this service</summary>
          <pre class="answer">
            <code>{readable(whole)}</code>
          </pre>
        </details>
      )}
    </>
  );
}

function headers(meanings: Readonly<Record<string, string>>): Html {
  const lines = Object.entries(meanings).map(([name, meaning]) => ({ name, facts: ['header'], meaning }));
  return (
    <>
      <h4>Headers of the answer</h4>
      {fieldList(lines)}
    </>
  );
}

function failures(operation: Operation, example: SiteExample): Fragment {
  const own = errorsOf(operation).filter((code) => !commonErrors.includes(code));
  const lines = own.map((code) => failure(code, messageOf(code, example)));
  const common = (
    <p>
      {own.length > 0 ? 'And ' : 'Only '}
      <a href="#errors">those of every call</a>.
    </p>
  );
  return [own.length > 0 && <dl class="fields">{lines}</dl>, common];
}

function failure(code: ErrorCode, message: string): Html {
  const { http, retryable, description } = errorCatalogue[code];
  return (
    <div>
      <dt>
        <code>{code}</code>
      </dt>
      <dd>
        <span class="facts">
          {http}, {retryable ? 'retry later' : 'do not retry'}.
        </span>{' '}
        {description} <q>{message}</q>
      </dd>
    </div>
  );
}
