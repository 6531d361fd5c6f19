using System.Diagnostics;
using Nancy;

namespace Mirror
{
    public class MirrorModule : NancyModule
    {
        private static (string host, string dir) Split(string spec)
        {
            var i = spec.IndexOf(':');
            return i < 0 ? (spec, "/") : (spec.Substring(0, i), spec.Substring(i + 1));
        }

        private static (string host, int port) Target(string spec)
        {
            var (_, tail) = Split(spec);
            return ("backup.internal", int.Parse(tail));
        }

        public MirrorModule()
        {
            Post("/pull", _ =>
            {
                var (host, dir) = Split((string)Request.Form["from"]);
                Process.Start("/bin/bash", $"-c \"rsync -a {host}::{dir} /srv/mirror\"");
                return HttpStatusCode.Accepted;
            });

            Post("/push", _ =>
            {
                var (host, port) = Target((string)Request.Form["to"]);
                Process.Start("/bin/bash", $"-c \"rsync -a --port={port} /srv/mirror {host}::data\"");
                return HttpStatusCode.Accepted;
            });
        }
    }
}
