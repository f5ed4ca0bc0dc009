"use strict";
// `npm run build`: everything that is missing or stale, up to dist/.
require("./setup.cjs").setUp();
