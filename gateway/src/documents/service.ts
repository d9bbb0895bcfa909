import type { Operator } from '@knowledge/runtime';
import type { Operation } from '../protocol/operation.js';
import { operationGroups } from '../protocol/operations.js';
import { type SiteName, type Sites, siteNames } from '../upstream/sites.js';

/** What a document tells about: the service as one site shows it, with the operations that are served. */
export interface Service {
  readonly site: SiteName;
  /** The base URL of the site, without a slash at its end. */
  readonly base: string;
  readonly bases: Readonly<Record<SiteName, string>>;
  /** In the order of the documents. */
  readonly groups: readonly OperationGroup[];
  readonly operations: readonly Operation[];
  readonly pagesPerAddress: number;
  readonly operator: Operator;
}

/** Operations that belong together. */
export interface OperationGroup {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** Describes the service for a site; `registered` are the operations that have a route. */
export function describeService(
  site: SiteName,
  { sites, registered, pagesPerAddress }: { sites: Sites; registered: readonly Operation[]; pagesPerAddress: number },
): Service {
  const served = new Set(registered);
  const groups = operationGroups
    .map((group) => ({ ...group, operations: group.operations.filter((operation) => served.has(operation)) }))
    .filter(({ operations }) => operations.length > 0);
  return {
    site,
    base: sites.base(site),
    bases: Object.fromEntries(siteNames.map((name) => [name, sites.base(name)])) as Record<SiteName, string>,
    groups,
    operations: groups.flatMap(({ operations }) => operations),
    pagesPerAddress,
    operator: sites.operator,
  };
}

/** Whether an operation is served. */
export function serves({ operations }: Service, operation: Operation): boolean {
  return operations.includes(operation);
}
