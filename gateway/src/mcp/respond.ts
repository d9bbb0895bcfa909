import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Documents } from '../documents/documents.js';
import { mediaTypes, preferredType } from '../http/negotiation.js';
import { mcp } from '../protocol/mcp.js';
import type { Sites } from '../upstream/sites.js';
import { batchFault, isKnownMethod, messageFault, withoutNulls } from './messages.js';
import { codes, refusal, refuse } from './refusal.js';
import { createMcpServer } from './server.js';

/** Responds to a message or a batch. */
export async function respond(
  app: FastifyInstance,
  { documents, sites }: { documents: Documents; sites: Sites },
  request: FastifyRequest<{ Querystring: { site?: unknown } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (request.body === undefined) return refuse(reply, refusal(codes.parseError, 'Parse error: the body is empty.'));
  const site = sites.of(request.query, request.headers.host);
  const batch = Array.isArray(request.body);
  const unfit = batchFault(request.body);
  if (unfit !== undefined) return refuse(reply, unfit);
  const messages = [request.body].flat().map(withoutNulls);
  const faults = messages.map(messageFault);
  const refused = faults.filter((fault) => fault !== undefined);
  if (!batch && refused[0] !== undefined) return refuse(reply, refused[0]);
  const served = messages.filter((_, at) => faults[at] === undefined);
  if (served.length === 0) return reply.send(refused);
  const server = createMcpServer(app, { documents, sites }, request, site);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const parsedBody = batch ? served : served[0];
    const response = await transport.handleRequest(webRequest(request, served.every(isKnownMethod)), { parsedBody });
    const text = await response.text();
    if (response.ok && batch) {
      // The transport returns an object for a batch of one request, and an empty text for notifications.
      const responses = [...refused, ...[text === '' ? [] : JSON.parse(text)].flat()];
      if (responses.length > 0) return send(request, reply, JSON.stringify(responses));
    }
    reply.code(response.status);
    return text === '' ? reply.send() : send(request, reply, text);
  } finally {
    await server.close();
  }
}

// JSON, unless the client takes only a stream of events.
function send(request: FastifyRequest, reply: FastifyReply, json: string): FastifyReply {
  const { json: asJson, events } = mediaTypes;
  if (preferredType(request, [asJson, events]) === asJson) return reply.header('content-type', asJson).send(json);
  return reply.header('content-type', events).send(`event: message\ndata: ${json}\n\n`);
}

// Makes a request with the headers that the transport checks. Its body is parsed already. The method of a newer protocol
// gets "Method not found" with its id, by which connectors go on, and not a refusal of the version, which has none.
function webRequest({ headers }: FastifyRequest, isKnown: boolean): Request {
  const checked = ['content-type', ...(isKnown ? ['mcp-protocol-version'] : [])].flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return new Request(`http://gateway${mcp.path}`, { method: 'POST', headers: [...checked, bothTypes] });
}

// The transport refuses clients that do not name both, and the response has the type that they take.
const bothTypes: [string, string] = ['accept', 'application/json, text/event-stream'];
