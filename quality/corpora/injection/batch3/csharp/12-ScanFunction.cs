using System.Diagnostics;
using System.Net;
using System.Text.Json;
using Microsoft.Azure.Functions.Worker;
using Microsoft.Azure.Functions.Worker.Http;

namespace Scan;

public class ScanFunction
{
    private static async Task<string> TargetAsync(HttpRequestData req)
    {
        using var doc = await JsonDocument.ParseAsync(req.Body);
        return doc.RootElement.GetProperty("target").GetString() ?? "";
    }

    private static Task<string> ProfileAsync() => Task.FromResult("quick");

    private static async Task<int> RunAsync(string line)
    {
        using var p = Process.Start("/bin/sh", new[] { "-c", line });
        await p.WaitForExitAsync();
        return p.ExitCode;
    }

    [Function("Scan")]
    public async Task<HttpResponseData> Scan([HttpTrigger(AuthorizationLevel.Anonymous, "post")] HttpRequestData req)
    {
        var target = TargetAsync(req);
        var profile = ProfileAsync();
        await Task.WhenAll(target, profile);
        var code = await RunAsync($"scan --profile {profile.Result} {target.Result}");
        return req.CreateResponse(code == 0 ? HttpStatusCode.OK : HttpStatusCode.BadGateway);
    }

    [Function("Label")]
    public async Task<HttpResponseData> Label([HttpTrigger(AuthorizationLevel.Anonymous, "put")] HttpRequestData req)
    {
        var text = await new StreamReader(req.Body).ReadToEndAsync();
        await Task.Run(() => Process.Start("/bin/bash", "-c \"scan-label " + text + "\""));
        return req.CreateResponse(HttpStatusCode.NoContent);
    }

    [Function("Resolve")]
    public async Task<HttpResponseData> Resolve([HttpTrigger(AuthorizationLevel.Anonymous, "post")] HttpRequestData req)
    {
        var target = await TargetAsync(req);
        if (!IPAddress.TryParse(target, out var address) || address.ScopeIdIsSet())
        {
            return req.CreateResponse(HttpStatusCode.BadRequest);
        }
        using var p = Process.Start("/bin/sh", new[] { "-c", "dig +short -x " + address.MapToIPv4() + " | head -n 1" });
        await p.WaitForExitAsync();
        return req.CreateResponse(HttpStatusCode.OK);
    }
}

internal static class AddressExtensions
{
    public static bool ScopeIdIsSet(this IPAddress a) =>
        a.AddressFamily == System.Net.Sockets.AddressFamily.InterNetworkV6 && a.ScopeId != 0;
}
