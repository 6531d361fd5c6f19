using System.Data.Common;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Mvc;

namespace Metering.Api;

public sealed class TenantMiddleware
{
    private readonly RequestDelegate _next;

    public TenantMiddleware(RequestDelegate next) => _next = next;

    public async Task InvokeAsync(HttpContext context)
    {
        context.Items["tenant"] = context.Request.Headers["X-Tenant"].FirstOrDefault() ?? "public";
        if (context.Request.Cookies.TryGetValue("region", out var region)
            && Regex.IsMatch(region, @"\A[a-z]{2}[0-9]?\z"))
        {
            context.Items["region"] = region;
        }
        await _next(context);
    }
}

[ApiController]
[Route("usage")]
public class UsageController : ControllerBase
{
    private readonly DbDataSource _source;

    public UsageController(DbDataSource source) => _source = source;

    private string Tenant => (string)HttpContext.Items["tenant"]!;

    private string Region => HttpContext.Items["region"] as string ?? "eu";

    [HttpGet("daily")]
    public async Task<IActionResult> Daily(DateOnly from)
    {
        await using var command = _source.CreateCommand();
        command.CommandText = $"SELECT calls FROM {Tenant}.usage_daily WHERE day >= @from";
        var parameter = command.CreateParameter();
        parameter.ParameterName = "from";
        parameter.Value = from;
        command.Parameters.Add(parameter);
        return Ok(await command.ExecuteScalarAsync());
    }

    [HttpGet("regional")]
    public async Task<IActionResult> Regional()
    {
        await using var command = _source.CreateCommand($"SELECT sum(calls) FROM usage_{Region}");
        return Ok(await command.ExecuteScalarAsync());
    }

    [HttpGet("top")]
    public async Task<IActionResult> Top()
    {
        var order = Request.Query["order"].ToString();
        if (!int.TryParse(Request.Query["n"], out var n))
            n = 10;
        order = n > 100 ? "calls" : order is "calls" or "bytes" ? order : "day";
        await using var command = _source.CreateCommand();
        command.CommandText = "SELECT max(" + order + ") FROM usage_totals LIMIT " + n;
        return Ok(await command.ExecuteScalarAsync());
    }

    [HttpGet("export")]
    public IActionResult Export([FromQuery] string month)
    {
        var file = Path.GetFileName(month);
        return PhysicalFile(Path.Combine("/srv/usage", Tenant, file), "text/csv");
    }

    [HttpPost("discard")]
    public IActionResult Discard()
    {
        foreach (var entry in Request.Form.Where(f => f.Key.StartsWith("file")))
            System.IO.File.Delete("/srv/usage/tmp/" + entry.Value);
        return NoContent();
    }
}
