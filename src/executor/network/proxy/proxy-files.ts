/** The names of what a sandbox is shown of the proxy of its run: the socket, and the certificates that its programs trust. */
export const proxyFiles = (name: string) => ({
  socket: `${name}.sock`,
  /** Of the authority of the run alone. */
  authority: `${name}.ca.pem`,
  /** With the usual ones. */
  authorities: `${name}.cas.pem`,
});
