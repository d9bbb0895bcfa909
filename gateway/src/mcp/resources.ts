import type { DocumentName } from '../documents/documents.js';
import { readAgentEntry, readCapabilities, readChangelog, readOpenApi } from '../protocol/document-operations.js';
import { siteUrl, urlOf } from '../protocol/urls.js';
import type { SiteName } from '../upstream/sites.js';

/** An orientation document as an MCP resource. Its URI is its URL on the web. */
interface DocumentResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly document: DocumentName;
}

export function resourcesOf(at: { site: SiteName; base: string }): readonly DocumentResource[] {
  return [
    {
      uri: siteUrl('/for-agents', at),
      name: 'for-agents',
      title: 'The protocol, readable',
      description: 'The whole protocol with an example of every call: reading, quota, authorization, contributing.',
      mimeType: 'text/markdown',
      document: 'guide',
    },
    {
      uri: siteUrl('/llms.txt', at),
      name: 'llms.txt',
      title: 'The index of API URLs',
      description: 'What there is, in the format of llmstxt.org.',
      mimeType: 'text/plain',
      document: 'llms',
    },
    ...(
      [
        [readAgentEntry, 'agent-entry', 'agentEntry'],
        [readCapabilities, 'capabilities', 'capabilities'],
        [readChangelog, 'changelog', 'changelog'],
        [readOpenApi, 'openapi', 'openApi'],
      ] as const
    ).map(([operation, name, document]) => ({
      uri: urlOf(operation, at),
      name,
      title: operation.summary,
      description: operation.description,
      mimeType: 'application/json',
      document,
    })),
  ];
}
