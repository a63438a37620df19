// The API docs page: shows the document of this server with swagger-ui-bundle.js, which was loaded before.
const dark = matchMedia('(prefers-color-scheme: dark)');
const followSystem = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
followSystem();
dark.addEventListener('change', followSystem);

window.SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#page',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  // A key entered here is not stored.
  persistAuthorization: false,
  // The address of the page must not choose another document.
  queryConfigEnabled: false,
  // This would send the document to another host.
  validatorUrl: null,
});
