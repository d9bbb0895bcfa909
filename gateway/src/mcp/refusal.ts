import type { FastifyReply } from 'fastify';

/** The JSON-RPC error response to a message that the server refuses. */
export interface Refusal {
  readonly jsonrpc: '2.0';
  readonly error: { readonly code: number; readonly message: string };
  readonly id: string | number | null;
}

/** The codes of JSON-RPC for faulty messages. */
export const codes = { parseError: -32_700, invalidRequest: -32_600, invalidParams: -32_602 } as const;

/** Makes a refusal. Its id is null if the id of the message cannot be read. */
export function refusal(code: number, message: string, id: Refusal['id'] = null): Refusal {
  return { jsonrpc: '2.0', error: { code, message }, id };
}

/** Sends a refusal. A message with an id but wrong params gets HTTP status 200; every other fault gets 400. */
export function refuse(reply: FastifyReply, fault: Refusal): FastifyReply {
  const isErrorResponse = fault.error.code === codes.invalidParams && fault.id !== null;
  return reply.code(isErrorResponse ? 200 : 400).send(fault);
}
