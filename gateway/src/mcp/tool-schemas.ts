import type { Tool as DescribedTool } from '@modelcontextprotocol/sdk/types.js';
import type { TSchema } from 'typebox';
import { mapValues } from '../documents/fields.js';
import { createSchemaWriter } from '../documents/openapi-schemas.js';
import type { Json } from '../protocol/example.js';
import { type Tool, toolDefaults, tools } from '../protocol/mcp-tools.js';
import { argumentsOf } from './arguments.js';

/** Describes the tools for the method `tools/list`, with the schemas of their operations. */
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
  const all = Object.entries(argumentsOf(tool));
  // The URL of a continuation has the slug too.
  const isOptional = (name: string) => name === 'slug' && all.some(([other]) => other === 'continuation');
  const required = all.flatMap(([name, argument]) => (argument.required && !isOptional(name) ? [name] : []));
  const preset = (name: string) => toolDefaults[name] !== undefined && { default: toolDefaults[name] };
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(([name, { schema }]) => [name, { ...inline(schema), ...preset(name) }])),
    ...(required.length > 0 && { required }),
  };
}

function outputOf({ operation }: Tool) {
  const responses = Object.values<TSchema>(operation.responses).map(inline);
  return {
    type: 'object',
    ...(responses.length === 1 ? responses[0] : { anyOf: responses }),
  } as DescribedTool['outputSchema'];
}

// A schema in `tools/list` cannot refer to schemas elsewhere, so this copies them into it.
function inline(schema: TSchema) {
  return withoutBounds(createSchemaWriter(new Map()).response(schema)) as Record<string, Json>;
}

/** Leaves out bounds and patterns, which the API checks. Some clients make a grammar of them, and fail. */
function withoutBounds(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutBounds);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !bounds.has(keyword))
      .map(([keyword, value]) => [
        keyword,
        keyword === 'properties' ? mapValues(value as Record<string, Json>, withoutBounds) : withoutBounds(value),
      ]),
  );
}

const bounds = new Set([
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'additionalProperties',
]);
