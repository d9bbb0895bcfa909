import { limits } from './limits.js';

/** The description of the MCP endpoint in the documents. */
export const mcp = {
  endpoint: 'mcp',
  method: 'POST',
  path: '/mcp',
  auth: 'optional_bearer',
  summary: 'The same as tools for MCP clients',
  description: `Model Context Protocol over streamable HTTP, without sessions: POST JSON-RPC messages (a batch has at most ${limits.batchMessages}); GET and DELETE are 405. Tools search, read, ask for a token and contribute under the same limits as the API; resources are these documents. Send the token as Authorization and the client id as X-Agent-Client-Id with every request, or give a tool write_token and client_id.`,
} as const;
