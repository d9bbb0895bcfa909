import { randomUUID } from 'node:crypto';
import type { CallOptions } from '@knowledge/runtime/grpc';
import type { Fragment, Html } from '@knowledge/runtime/html';
import type { FastifyRequest } from 'fastify';
import { callContextOf, callOptions } from '../../upstream/call-context.js';

/** The key of a form that sends a mail, so that a form that is sent twice sends one. */
export function formKey(): Html {
  return <input type="hidden" name="form_key" value={randomUUID()} />;
}

/** The options of the call of a form. Services know a repeated request by its id, which is the key of the form. */
export function formCall(request: FastifyRequest): CallOptions {
  const { form_key: key } = (request.body ?? {}) as Record<string, unknown>;
  const isKey = typeof key === 'string' && /^[0-9a-f-]{36}$/.test(key);
  return callOptions({ ...callContextOf(request), ...(isKey && { id: key }) });
}

/** A name or title in quotation marks. If it is Arabic or Hebrew, the words around it keep their order. */
export function quoted(name: string): Html {
  return (
    <>
      “<bdi>{name}</bdi>”
    </>
  );
}

/** A name in bold quotation marks. */
export function boldName(name: string): Html {
  return <strong>{quoted(name)}</strong>;
}

/** A list of what the access page shows: agents, requests, contributions. */
export function entryList(items: readonly Fragment[]): Html {
  return (
    <ul class="entries">
      {items.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
}
