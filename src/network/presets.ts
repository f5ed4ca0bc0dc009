/** The lists behind `@name` in an allowlist: the hosts that the usual programs reach to do their work. */
export const NETWORK_PRESETS = {
  "@models": [
    "api.anthropic.com",
    "api.openai.com",
    "chatgpt.com",
    "auth.openai.com",
    "generativelanguage.googleapis.com",
    "aiplatform.googleapis.com",
    "*.aiplatform.googleapis.com",
    "openrouter.ai",
    "opencode.ai",
  ],
  "@npm": ["registry.npmjs.org", "registry.yarnpkg.com"],
  "@pip": ["pypi.org", "files.pythonhosted.org"],
  "@apt": [
    "deb.debian.org",
    "security.debian.org",
    "archive.ubuntu.com",
    "security.ubuntu.com",
    "ports.ubuntu.com",
  ],
  "@go": ["proxy.golang.org", "sum.golang.org", "storage.googleapis.com"],
  "@github": [
    "github.com",
    "github.com:22",
    "api.github.com",
    "uploads.github.com",
    "codeload.github.com",
    "*.githubusercontent.com",
    "ghcr.io",
  ],
  "@gitlab": ["gitlab.com", "gitlab.com:22", "registry.gitlab.com"],
} as const satisfies Record<`@${string}`, readonly string[]>;
