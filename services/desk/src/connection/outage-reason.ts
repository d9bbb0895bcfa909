import type { ServiceError } from '@grpc/grpc-js';

/**
 * Explains in a few words why a service could not be reached, from an error of grpc-js. Undefined if the service itself
 * sent the error.
 */
export function outageReason(cause: unknown): string | undefined {
  const { details, metadata } = (cause ?? {}) as Partial<ServiceError>;
  if (metadata?.get('grpc-status-details-bin').length) return undefined;
  if (details === undefined || details === '') return 'no connection in time';
  const socket = /\b(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ETIMEDOUT)\b/.exec(details)?.[1];
  if (socket !== undefined) return socketReasons[socket];
  if (details.startsWith('Deadline exceeded')) return 'no answer in time';
  if (details.startsWith('Name resolution failed')) return 'no such host';
  return details;
}

const socketReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host is not reachable',
  ENETUNREACH: 'the network is not reachable',
  ENOTFOUND: 'no such host',
  ETIMEDOUT: 'the connection timed out',
};
