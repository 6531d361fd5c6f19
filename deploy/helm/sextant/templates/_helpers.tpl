{{- /* Several replicas, which share backends. */}}
{{- define "sextant.isCluster" -}}
{{- if or .Values.autoscaling.enabled (gt (int .Values.replicas) 1) }}true{{ end }}
{{- end }}

{{- define "sextant.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{- define "sextant.labels" -}}
app.kubernetes.io/name: sextant
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "sextant.podSecurity" -}}
automountServiceAccountToken: false
# Variables that Kubernetes adds for a Service have names of settings (SEXTANT_PORT).
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user }}
  runAsGroup: {{ .group }}
  fsGroup: {{ .group }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "sextant.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}
