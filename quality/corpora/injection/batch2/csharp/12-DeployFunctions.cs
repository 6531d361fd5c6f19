using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using Microsoft.Azure.Functions.Worker;
using Microsoft.Azure.Functions.Worker.Http;
using Microsoft.Extensions.Logging;

public class DeployFunctions
{
    private static readonly string[] Sites = { "shop", "blog", "docs" };
    private readonly ILogger<DeployFunctions> _log;

    public DeployFunctions(ILogger<DeployFunctions> log) => _log = log;

    [Function("Deploy")]
    public HttpResponseData Deploy([HttpTrigger(AuthorizationLevel.Anonymous, "post")] HttpRequestData req)
    {
        var site = req.Query["site"];
        var ok = Sites.Contains(site);
        if (!ok)
        {
            _log.LogWarning("site {Site} not configured", site);
        }
        Process.Start("/bin/bash", $"-c \"/srv/bin/deploy.sh {site}\"");
        return req.CreateResponse(ok ? HttpStatusCode.OK : HttpStatusCode.Accepted);
    }

    [Function("Restart")]
    public HttpResponseData Restart([HttpTrigger(AuthorizationLevel.Anonymous, "post")] HttpRequestData req)
    {
        var site = req.Query["site"];
        if (!Sites.Contains(site))
        {
            return req.CreateResponse(HttpStatusCode.NotFound);
        }
        Process.Start("/bin/bash", $"-c \"/srv/bin/restart.sh {site}\"");
        return req.CreateResponse(HttpStatusCode.OK);
    }

    [Function("Logs")]
    public HttpResponseData Logs([HttpTrigger(AuthorizationLevel.Anonymous, "get")] HttpRequestData req)
    {
        var site = req.Query["site"];
        var known = Array.Find(Sites, s => s == site);
        var res = req.CreateResponse(known is null ? HttpStatusCode.NonAuthoritativeInformation : HttpStatusCode.OK);
        res.WriteString(File.ReadAllText(Path.Combine("/var/log/sites", site + ".log")));
        return res;
    }
}
