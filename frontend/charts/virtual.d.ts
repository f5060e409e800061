/** GeoJSON that the build creates from the atlases (geography.js). */
declare module 'virtual:land/*' {
  const land: { type: 'FeatureCollection'; features: { properties: Record<string, string>; geometry: object }[] };
  export default land;
}
