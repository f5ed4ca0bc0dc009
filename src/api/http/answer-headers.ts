/** Answers load nothing; what is a page of its own names its own policy. Other hosts of the domain are not millrace's business. */
export const ANSWER_HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { "default-src": ["'none'"], "frame-ancestors": ["'none'"], "base-uri": ["'none'"] },
  },
  strictTransportSecurity: { includeSubDomains: false },
};
