using Microsoft.AspNetCore.Http;
using Microsoft.Data.SqlClient;

namespace Clinic.Tenancy;

public class TenantMiddleware
{
    private readonly RequestDelegate _next;

    public TenantMiddleware(RequestDelegate next) => _next = next;

    public async Task InvokeAsync(HttpContext context)
    {
        context.Items["tenant"] = context.Request.Headers["X-Clinic"].ToString();
        context.Items["patient"] = Guid.TryParse(context.Request.Cookies["patient"], out var id) ? id : Guid.Empty;
        await _next(context);
    }
}

public interface IVisitRepository
{
    Task<int> CountVisits();
    Task<int> CountForPatient();
    Task<int> CountMatching(string column, string value);
    Task<int> CountOpen(string state);
}

public class VisitRepository : IVisitRepository
{
    private readonly IHttpContextAccessor _accessor;
    private readonly SqlConnection _connection;
    private readonly Func<string, string> _equals;

    public VisitRepository(IHttpContextAccessor accessor, SqlConnection connection)
    {
        _accessor = accessor;
        _connection = connection;
        _equals = value => $" = N'{value}'";
    }

    private string Tenant => _accessor.HttpContext?.Items["tenant"] as string ?? "dbo";

    public async Task<int> CountVisits()
    {
        await using var command = new SqlCommand($"SELECT COUNT(*) FROM [{Tenant}].visits", _connection);
        return (int)(await command.ExecuteScalarAsync())!;
    }

    public async Task<int> CountForPatient()
    {
        var patient = (Guid)_accessor.HttpContext!.Items["patient"]!;
        await using var command = new SqlCommand("SELECT COUNT(*) FROM dbo.visits WHERE patient = '" + patient + "'", _connection);
        return (int)(await command.ExecuteScalarAsync())!;
    }

    public async Task<int> CountMatching(string column, string value)
    {
        var target = column == "doctor" ? "doctor" : "ward";
        var sql = "SELECT COUNT(*) FROM dbo.visits WHERE " + target + _equals(value);
        await using var command = new SqlCommand(sql, _connection);
        return (int)(await command.ExecuteScalarAsync())!;
    }

    public async Task<int> CountOpen(string state)
    {
        state = state == "urgent" ? "U" : "N";
        await using var command = new SqlCommand($"SELECT COUNT(*) FROM dbo.visits WHERE state = '{state}'", _connection);
        return (int)(await command.ExecuteScalarAsync())!;
    }
}

public static class VisitEndpoints
{
    public static void MapVisits(this WebApplication app)
    {
        app.UseMiddleware<TenantMiddleware>();
        app.MapGet("/visits/count", (IVisitRepository visits) => visits.CountVisits());
        app.MapGet("/visits/mine", (IVisitRepository visits) => visits.CountForPatient());
        app.MapGet("/visits/by/{column}", (string column, string value, IVisitRepository visits) => visits.CountMatching(column, value));
        app.MapGet("/visits/open", (string state, IVisitRepository visits) => visits.CountOpen(state));
    }
}
