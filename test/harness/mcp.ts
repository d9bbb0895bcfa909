import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';

/** A connection with the official MCP client. */
export interface McpAgent {
  readonly client: Client;
  /** Calls a tool. The client checks the response by the output schema of the tool. */
  call(name: string, given?: Record<string, unknown>): Promise<ToolResponse>;
}

/** The response of a tool, for programs and for models. */
export interface ToolResponse {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of responses.
  readonly json: any;
  /** The texts for the model. The first one is the exact response of the API. */
  readonly texts: readonly string[];
}

/** Connects over real HTTP, until the test ends. Sends the headers with every message. */
export async function connectMcp(url: string, headers: Record<string, string> = {}): Promise<McpAgent> {
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as never);
  onTestFinished(() => client.close());
  // The client checks the responses only of tools that it has listed.
  await client.listTools();
  return {
    client,
    async call(name, given = {}) {
      const result = (await client.callTool({ name, arguments: given }, CallToolResultSchema)) as CallToolResult;
      const texts = result.content.map((each) => (each.type === 'text' ? each.text : ''));
      const json = result.structuredContent ?? JSON.parse(texts[0] ?? 'null');
      return { isError: result.isError === true, json, texts };
    },
  };
}
