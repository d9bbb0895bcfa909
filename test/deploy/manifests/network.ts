import { BlockList } from 'node:net';
import { type Labels, type Manifest, ofKind, type Selector, selects } from './rendered.js';

/** One end of a connection: a pod in a namespace, or an address outside the cluster. */
export type Endpoint =
  | { readonly name: string; readonly namespace: string; readonly labels: Labels; readonly namespaceLabels?: Labels }
  | { readonly name: string; readonly address: string };

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: number; readonly protocol?: string }[];
}

interface Policy {
  readonly namespace: string;
  readonly podSelector: Selector;
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

/**
 * Checks connections by the rules of NetworkPolicy. Both ends must allow a connection. An end allows all connections if
 * no policy selects it in that direction. Otherwise a rule must allow the other end and the port.
 */
export function connector(manifests: readonly Manifest[]): (from: Endpoint, to: Endpoint, port: number) => boolean {
  const policies = ofKind(manifests, 'NetworkPolicy').map(({ metadata, spec }) => {
    return { namespace: metadata.namespace ?? '', ...spec } as Policy;
  });
  const agrees = (end: Endpoint, other: Endpoint, direction: 'Ingress' | 'Egress', port: number): boolean => {
    if (!('labels' in end)) return true;
    const selecting = policies.filter(
      (policy) =>
        policy.namespace === end.namespace &&
        policy.policyTypes.includes(direction) &&
        selects(policy.podSelector, end.labels),
    );
    if (selecting.length === 0) return true;
    return selecting.some((policy) =>
      (direction === 'Ingress' ? policy.ingress : policy.egress)?.some((rule) => {
        const peers = direction === 'Ingress' ? rule.from : rule.to;
        const portFits = rule.ports === undefined || rule.ports.some((each) => each.port === port);
        return portFits && (peers === undefined || peers.some((peer) => isPeer(peer, policy.namespace, other)));
      }),
    );
  };
  return (from, to, port) => agrees(from, to, 'Egress', port) && agrees(to, from, 'Ingress', port);
}

function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, namespace: string, end: Endpoint): boolean {
  if (ipBlock !== undefined) return 'address' in end && contains(ipBlock.cidr, end.address);
  if (!('labels' in end)) return false;
  const inNamespace =
    namespaceSelector === undefined
      ? end.namespace === namespace
      : selects(namespaceSelector, { ...end.namespaceLabels, 'kubernetes.io/metadata.name': end.namespace });
  return inNamespace && selects(podSelector ?? {}, end.labels);
}

function contains(cidr: string, address: string): boolean {
  const [network = '', bits = '32'] = cidr.split('/');
  const list = new BlockList();
  list.addSubnet(network, Number(bits));
  return list.check(address);
}
