import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';

/** The official MCP client, connected. */
export interface McpAgent {
  readonly client: Client;
  /** Calls a tool; what it answers fits the tool's output schema, for the client checks that. */
  call(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** What a tool answered, as a program and as a model see it. */
export interface ToolAnswer {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests are about.
  readonly json: any;
  /** The texts that the model reads; the first is the answer of the API, byte for byte. */
  readonly texts: readonly string[];
}

/** Connects over real HTTP; the headers go with every message. */
export async function connectMcp(url: string, headers: Record<string, string> = {}): Promise<McpAgent> {
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as never);
  // The client checks answers against the schemas that it has listed.
  await client.listTools();
  return {
    client,
    async call(name, given = {}) {
      const result = (await client.callTool({ name, arguments: given }, CallToolResultSchema)) as CallToolResult;
      const texts = result.content.map((each) => (each.type === 'text' ? each.text : ''));
      const json = result.structuredContent ?? JSON.parse(texts[0] ?? 'null');
      return { isError: result.isError === true, json, texts };
    },
    close: () => client.close(),
  };
}
