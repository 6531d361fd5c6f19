using System;
using System.IO;
using System.IO.Compression;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace Museum.Exhibits;

public class ExhibitMiddleware
{
    private static readonly Regex Inventory = new(@"\A[A-Z]{2}\d{4}\z", RegexOptions.Compiled);
    private readonly RequestDelegate _next;
    private readonly string _root = Path.GetFullPath("/srv/exhibits") + Path.DirectorySeparatorChar;

    public ExhibitMiddleware(RequestDelegate next)
    {
        _next = next;
    }

    public Task InvokeAsync(HttpContext context) => (context.Request.Method, context.Request.Path.Value) switch
    {
        ("PUT", "/bundle") => Bundle(context),
        ("PUT", "/models") => Models(context),
        ("GET", "/sound") => Sound(context),
        ("GET", "/card") => Card(context),
        _ => _next(context),
    };

    private async Task Bundle(HttpContext context)
    {
        using var archive = await Open(context);
        foreach (var entry in archive.Entries)
        {
            if (entry.Name.Length == 0)
            {
                continue;
            }
            var target = Path.GetFullPath(Path.Combine(_root, entry.FullName));
            if (!target.StartsWith(_root, StringComparison.Ordinal))
            {
                context.Response.StatusCode = 422;
                return;
            }
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            entry.ExtractToFile(target, overwrite: true);
        }
        context.Response.StatusCode = 204;
    }

    private async Task Models(HttpContext context)
    {
        using var archive = await Open(context);
        foreach (var entry in archive.Entries)
        {
            if (entry.Length > 50_000_000 || !entry.FullName.EndsWith(".glb"))
            {
                continue;
            }
            entry.ExtractToFile(Path.Combine(_root, "models", entry.FullName), true);
        }
        context.Response.StatusCode = 204;
    }

    private Task Sound(HttpContext context)
    {
        string name = context.Request.Query["name"]!;
        name = name.TrimStart('/', '.');
        return context.Response.SendFileAsync(_root + "sound/" + name);
    }

    private async Task Card(HttpContext context)
    {
        var number = context.Request.Query["no"].ToString();
        if (!Inventory.IsMatch(number))
        {
            context.Response.StatusCode = 400;
            return;
        }
        await context.Response.WriteAsync(await File.ReadAllTextAsync($"{_root}cards/{number}.html"));
    }

    private static async Task<ZipArchive> Open(HttpContext context)
    {
        var buffer = new MemoryStream();
        await context.Request.Body.CopyToAsync(buffer);
        buffer.Position = 0;
        return new ZipArchive(buffer, ZipArchiveMode.Read);
    }
}

public static class ExhibitExtensions
{
    public static IApplicationBuilder UseExhibits(this IApplicationBuilder app) => app.UseMiddleware<ExhibitMiddleware>();
}
