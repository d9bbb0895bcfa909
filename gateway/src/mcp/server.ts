import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Documents } from '../documents/documents.js';
import { type Tool, tools } from '../protocol/mcp-tools.js';
import { serviceName } from '../protocol/service-words.js';
import { siteUrl } from '../protocol/urls.js';
import { protocolVersion } from '../protocol/version.js';
import type { SiteName, Sites } from '../upstream/sites.js';
import { callTool } from './call-tool.js';
import { instructions } from './instructions.js';
import { resourcesOf } from './resources.js';
import { describeTools } from './tool-schemas.js';

/** Makes the MCP server for one request, so that no two requests share facts about their callers. */
export function createMcpServer(
  app: FastifyInstance,
  { documents, sites }: { documents: Documents; sites: Sites },
  caller: FastifyRequest,
  site: SiteName,
): Server {
  const at = { site, base: sites.base(site) };
  const server = new Server(
    {
      name: 'community-knowledge-service',
      title: serviceName,
      version: protocolVersion,
      websiteUrl: siteUrl('/for-agents', at),
    },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: instructions(at),
      jsonSchemaValidator: validator,
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: describeTools() }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = toolOf(params.name, params.arguments);
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(', ');
      throw failure(ErrorCode.InvalidParams, `There is no tool with this name. The tools are: ${names}.`);
    }
    return callTool(app, tool, params.arguments ?? {}, caller, simpleOf(params.name, params.arguments));
  });
  const resources = resourcesOf(at);
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources.map(({ document: _, ...shown }) => shown),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const resource = resources.find((each) => each.uri === uri);
    if (resource === undefined) {
      throw failure(resourceNotFound, 'There is no resource with this URI; resources/list shows all of them.');
    }
    const { document, mimeType } = resource;
    return { contents: [{ uri, mimeType, text: documents.get(document, site).body.toString() }] };
  });
  return server;
}

// Some clients know only the tools search and fetch. What fetch names is an object if it has the form of its id.
function toolOf(name: string, given: Readonly<Record<string, unknown>> = {}): Tool | undefined {
  const isObject = /objects\/|^[\da-f]{8}-[\da-f]{4}-/.test(String(given['id']));
  const real = name !== 'fetch' ? name : isObject ? 'read_object' : 'read_article';
  return tools.find((each) => each.name === real);
}

// They call search with `query`; our own argument is `q`.
function simpleOf(name: string, given: Readonly<Record<string, unknown>> = {}): 'search' | 'fetch' | undefined {
  if (name === 'search' && given['query'] !== undefined && given['q'] === undefined) return name;
  return name === 'fetch' ? name : undefined;
}

// Clients add the code to the message themselves, so the message does not contain it.
function failure(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}

// The code that MCP defines for an unknown resource.
const resourceNotFound = -32_002;

// All servers share this validator, because making a new one takes longer than serving a request.
const validator = new AjvJsonSchemaValidator();
