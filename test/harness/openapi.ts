import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import type { HttpResponse } from './http.js';

/** Lists the differences between a response and the OpenAPI document. An empty list means that it conforms. */
export type CheckResponse = (method: string, template: string, answer: HttpResponse) => string[];

/** Reads the OpenAPI document of a gateway. Returns a function that checks status, headers and body. */
export async function openApiCheck(url: string): Promise<CheckResponse> {
  const document = (await (await fetch(`${url}/api/v1/openapi.json?site=org`)).json()) as Document;
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  formatsPlugin.default(ajv);
  ajv.addSchema(document, 'openapi');
  return (method, template, { status, headers, json }) => {
    const response = document.paths[template]?.[method.toLowerCase()]?.responses[String(status)];
    if (response === undefined) return [`${method} ${template} does not document ${status}`];
    const absent = Object.keys(response.headers ?? {}).filter(
      (name) => !optionalHeaders.has(name) && !isLimitOfDay(name, status) && !headers.has(name),
    );
    const problems = absent.map((name) => `${method} ${template} ${status} has no ${name}`);
    if (response.content === undefined) return json === undefined ? problems : [...problems, 'an undocumented body'];
    const inOperation = ['responses', String(status), 'content', 'application/json', 'schema'];
    const pointer = ['paths', template, method.toLowerCase(), ...inOperation];
    const validate = ajv.compile({ $ref: `openapi#/${pointer.map(escaped).join('/')}` });
    // All failures have the same schema. The examples of a status contain its possible error codes.
    const codes = Object.keys(response.content['application/json']?.examples ?? {});
    if (status >= 400 && !codes.includes(json.error)) problems.push(`${json.error} is not documented for ${status}`);
    if (validate(json)) return problems;
    return [...problems, ...(validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)];
  };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
}

type Responses = Readonly<
  Record<string, { readonly headers?: Readonly<Record<string, unknown>>; readonly content?: Content }>
>;

type Content = Readonly<Record<string, { readonly examples?: object }>>;

// A response may leave out these headers.
const optionalHeaders: ReadonlySet<string> = new Set(['Idempotent-Replayed', 'Content-Encoding']);

/** `expectFailure` checks which limits have the header. */
function isLimitOfDay(name: string, status: number): boolean {
  return name === 'Retry-After' && status === 429;
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
