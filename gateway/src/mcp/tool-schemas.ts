import type { Tool as DescribedTool } from '@modelcontextprotocol/sdk/types.js';
import type { TSchema } from 'typebox';
import { createSchemaWriter } from '../documents/openapi-schemas.js';
import type { Json } from '../protocol/example.js';
import { type Tool, tools } from '../protocol/mcp-tools.js';
import { argumentsOf } from './arguments.js';

/** The tools as `tools/list` shows them: their schemas are those of the operations. */
export function describeTools(): DescribedTool[] {
  described ??= tools.map(describe);
  return described;
}

let described: DescribedTool[] | undefined;

function describe(tool: Tool): DescribedTool {
  const { name, title, description, annotations } = tool;
  return { name, title, description, inputSchema: inputOf(tool), outputSchema: outputOf(tool), annotations };
}

function inputOf(tool: Tool): DescribedTool['inputSchema'] {
  const taken = Object.entries(argumentsOf(tool));
  const required = taken.flatMap(([name, argument]) => (argument.required ? [name] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(taken.map(([name, { schema }]) => [name, inline(schema)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function outputOf({ operation }: Tool): DescribedTool['outputSchema'] {
  const answers = Object.values<TSchema>(operation.responses).map(inline);
  return {
    type: 'object',
    ...(answers.length === 1 ? answers[0] : { anyOf: answers }),
  } as DescribedTool['outputSchema'];
}

// A tool's schema stands alone: nothing in it has a name of its own.
function inline(schema: TSchema): Record<string, Json> {
  return createSchemaWriter(new Map()).answer(schema);
}
