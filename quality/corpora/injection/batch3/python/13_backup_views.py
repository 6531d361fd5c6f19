import subprocess

from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView


class DumpSerializer(serializers.Serializer):
    schema = serializers.CharField(max_length=60)
    compress = serializers.IntegerField(min_value=0, max_value=9, default=6)
    comment = serializers.CharField(required=False, allow_blank=True)


class DumpView(APIView):
    def post(self, request):
        data = DumpSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        cmd = [
            "pg_dump",
            f"--schema={data.validated_data['schema']}",
            f"--compress={data.validated_data['compress']}",
            "--file=/backup/manual.dump",
            "crm",
        ]
        done = subprocess.run(cmd, capture_output=True, text=True)
        return Response({"stderr": done.stderr}, status=status.HTTP_201_CREATED)


class CommentView(APIView):
    def post(self, request):
        data = DumpSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        note = data.validated_data.get("comment", "")
        subprocess.run(["sh", "-c", f"echo {note} >> /backup/notes.log"], check=True)
        return Response(status=status.HTTP_204_NO_CONTENT)


class RestoreView(APIView):
    def post(self, request, schema):
        line = "pg_restore --clean -n {} -d crm /backup/manual.dump".format(schema)
        code, out = subprocess.getstatusoutput(line)
        return Response({"code": code, "output": out})
