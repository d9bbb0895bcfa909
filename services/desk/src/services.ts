import type { ArticleDraftServiceService } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import type { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { CallOptions, GrpcClient } from '@knowledge/runtime/client';

export const serviceNames = ['content', 'quota', 'identity', 'contributions'] as const;

export type ServiceName = (typeof serviceNames)[number];

export type PerService<T> = Readonly<Record<ServiceName, T>>;

export function perService<T>(make: (name: ServiceName) => T): PerService<T> {
  return Object.fromEntries(serviceNames.map((name) => [name, make(name)])) as PerService<T>;
}

/** Who calls the services: a run of the command line, or a request to the web desk. */
export interface Caller {
  /** Makes the context of the next call, with its actor. */
  callContext(): CallOptions;
}

export type EditorialClient = GrpcClient<typeof EditorialServiceService>;

export type ArticleDraftClient = GrpcClient<typeof ArticleDraftServiceService>;
