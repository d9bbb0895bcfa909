import type { HttpResponse } from '../../harness/http.js';
import { call } from '../../harness/http.js';
import { type CheckResponse, openApiCheck } from '../../harness/openapi.js';
import { differences, lasting } from './likeness.js';

/** An operation of the OpenAPI document, with its examples. */
export interface Documented {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly auth: 'none' | 'optional' | 'bearer';
  /** The parameters that have an example. */
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example: unknown }[];
  readonly bodies: Readonly<Record<string, unknown>>;
  readonly answers: Readonly<Record<string, unknown>>;
  /** The documented message of each error code. */
  readonly messages: Readonly<Record<string, string>>;
}

/** Changes to the example request of an operation. */
export interface Changes {
  /** Other values for parameters. Undefined removes a parameter. */
  readonly parameters?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The exact text of the body, in place of the example. */
  readonly raw?: string;
}

/** The examples of a running system. They can be sent to that system. */
export interface Examples {
  readonly operations: ReadonlyMap<string, Documented>;
  /** Sends the example request of an operation. */
  ask(id: string, changes?: Changes): Promise<HttpResponse>;
  /** Sends a request. Lists the differences between the response and its example and schema. */
  compare(id: string, status: number, changes?: Changes): Promise<{ json: HttpResponse['json']; problems: string[] }>;
  /** Causes a failure. Lists the differences between the response and the documented failure. */
  compareFailure(id: string, code: string, changes?: Changes): Promise<string[]>;
}

/** Reads the OpenAPI document of a running gateway. */
export async function readExamples(gateway: string): Promise<Examples> {
  const document = (await call(`${gateway}/api/v1/openapi.json?site=org`)).json;
  const check: CheckResponse = await openApiCheck(gateway);
  const operations = new Map<string, Documented>();
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Loose>>)) {
    for (const [method, operation] of Object.entries(methods)) {
      operations.set(operation.operationId, documented(method.toUpperCase(), path, operation));
    }
  }
  const find = (id: string): Documented => {
    const operation = operations.get(id);
    if (operation === undefined) throw new Error(`No operation ${id} is documented.`);
    return operation;
  };
  const ask = (id: string, changes: Changes = {}): Promise<HttpResponse> => send(gateway, find(id), changes);
  return {
    operations,
    ask,
    async compare(id, status, changes) {
      const { method, path, answers } = find(id);
      const answer = await ask(id, changes);
      if (answer.status !== status) return { json: answer.json, problems: [`${id}: ${answer.status} ${answer.text}`] };
      // These examples contain only the first entry of a list.
      const cut = id === 'listCurated' || id === 'readOutline';
      const example = answers[String(status)];
      const unlike = example === undefined ? [] : differences(example, answer.json, cut);
      const problems = [...unlike, ...check(method, path, answer)].map((problem) => `${id} ${status}: ${problem}`);
      return { json: answer.json, problems };
    },
    async compareFailure(id, code, changes) {
      const { method, path, messages } = find(id);
      const answer = await ask(id, changes);
      const { error, message } = answer.json ?? {};
      if (error !== code) return [`${id} ${code}: ${answer.status} ${answer.text}`];
      const said = lasting(message) === lasting(messages[code] ?? '') ? [] : [`says ${message}, not ${messages[code]}`];
      return [...said, ...check(method, path, answer)].map((problem) => `${id} ${code}: ${problem}`);
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: this test does not check the shape of the document.
type Loose = any;

function documented(method: string, path: string, operation: Loose): Documented {
  const { operationId, security, parameters, requestBody, responses } = operation;
  const json = Object.entries<Loose>(responses).map(
    ([status, { content }]) => [status, content?.['application/json']] as const,
  );
  return {
    id: operationId,
    method,
    path,
    auth: security.length === 0 ? 'none' : security.length === 1 ? 'bearer' : 'optional',
    parameters: parameters.filter(({ example }: Loose) => example !== undefined),
    bodies: valuesOf(requestBody?.content['application/json'].examples),
    answers: Object.fromEntries(json.flatMap(([status, of]) => (of?.example ? [[status, of.example]] : []))),
    messages: Object.assign(
      {},
      ...json.map(([, of]) =>
        Object.fromEntries(Object.entries<Loose>(valuesOf(of?.examples)).map(([code, { message }]) => [code, message])),
      ),
    ),
  };
}

function valuesOf(examples: Record<string, { value: unknown }> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(examples).map(([name, { value }]) => [name, value]));
}

function send(gateway: string, operation: Documented, changes: Changes): Promise<HttpResponse> {
  const { method, path, parameters, bodies } = operation;
  const shown = parameters.map(({ name, in: where, example }) => ({ name, where, value: String(example) }));
  const given = new Map(shown.map(({ name, value }) => [name, value]));
  for (const [name, value] of Object.entries(changes.parameters ?? {})) {
    if (value === undefined) given.delete(name);
    else given.set(name, value);
  }
  const url = new URL(gateway + path.replace(/\{(\w+)\}/g, (_, name: string) => given.get(name) ?? ''));
  const headers: Record<string, string> = {};
  for (const [name, value] of given) {
    const where = shown.find((each) => each.name === name)?.where ?? 'query';
    if (where === 'query') url.searchParams.set(name, value);
    if (where === 'header') headers[name] = value;
  }
  if (changes.token !== undefined) headers['authorization'] = `Bearer ${changes.token}`;
  const body = changes.raw ?? stringOf(changes.body ?? Object.values(bodies)[0]);
  if (body !== undefined) headers['content-type'] = 'application/json';
  return call(url.href, {
    method,
    headers: { ...headers, ...changes.headers },
    ...(body !== undefined && { body }),
  });
}

function stringOf(body: unknown): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}
