using System;
using System.Diagnostics;
using System.IO;
using System.Text.Json;
using System.Threading.Tasks;
using Microsoft.Azure.Functions.Worker;
using Microsoft.Extensions.Logging;

namespace LandRegistry.Plans;

public sealed class PlanMessage
{
    public string PlanId { get; set; } = "";
    public string FileName { get; set; } = "";
    public string Projection { get; set; } = "";
    public string Svg { get; set; } = "";
}

public class SurveyPlanFunction
{
    private const string Root = "/home/plans";
    private readonly ILogger<SurveyPlanFunction> _log;

    public SurveyPlanFunction(ILogger<SurveyPlanFunction> log) => _log = log;

    [Function("SurveyPlan")]
    public async Task Run([ServiceBusTrigger("survey-plans")] string body)
    {
        var message = JsonSerializer.Deserialize<PlanMessage>(body);
        if (message is null)
        {
            return;
        }
        var stored = await Store(message);
        await Keep(message);
        Rasterise(stored);
        Reproject(stored, message.Projection);
    }

    private static async Task<string> Store(PlanMessage message)
    {
        var id = Guid.Parse(message.PlanId);
        var target = Path.Combine(Root, "svg", id.ToString("N") + ".svg");
        await File.WriteAllTextAsync(target, message.Svg);
        return target;
    }

    private static async Task Keep(PlanMessage message)
    {
        var original = Path.Combine(Root, "originals", message.FileName);
        await using var writer = new StreamWriter(original, append: false);
        await writer.WriteAsync(message.Svg);
    }

    private void Rasterise(string svg)
    {
        var info = new ProcessStartInfo("rsvg-convert") { RedirectStandardError = true };
        info.ArgumentList.Add("--width");
        info.ArgumentList.Add("1600");
        info.ArgumentList.Add("--output");
        info.ArgumentList.Add(Path.ChangeExtension(svg, ".png"));
        info.ArgumentList.Add(svg);
        using var process = Process.Start(info);
        process!.WaitForExit();
        _log.LogInformation("rasterised with {Code}", process.ExitCode);
    }

    private void Reproject(string svg, string projection)
    {
        if (!projection.StartsWith("EPSG:"))
        {
            throw new InvalidOperationException("unsupported projection");
        }
        var command = $"ogr2ogr -t_srs {projection} {svg}.gpkg {svg} 2>> /var/log/reproject.log";
        var info = new ProcessStartInfo
        {
            FileName = "/bin/bash",
            Arguments = $"-c \"{command}\"",
            UseShellExecute = false,
        };
        using var process = Process.Start(info);
        process!.WaitForExit();
        if (process.ExitCode != 0)
        {
            _log.LogWarning("reprojection failed");
        }
    }
}
