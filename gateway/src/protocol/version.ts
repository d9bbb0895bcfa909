/** `api_version` of every listing and of the capabilities (specification section 9). */
export const protocolVersion = '1.0.0';
